/** English stock phrases, second half: remarks, asides, narration and gestures, by move and manner. */
export const enRemarks = `
statement
  any {Topic}. Well. | So that's how it is with {topic}. | Is that so? | Go on, {you}. | That's one way to see it.
    | I was afraid it would be {topic}. | You keep coming back to {topic}. | I'd heard as much. | {Topic}, of all things.
    | Say what you like about {topic}. | I've been thinking the same.
  warm You poor thing, with {topic} on your mind. | I'm glad you told me, {you}. | We'll manage {topic} between us.
    | {Topic} can wait until you've eaten. | That must weigh on you.
  rough {Topic}, {topic}. Give it a rest. | So? | And what do you want me to do about {topic}? | Tell it to your boots, {you}.
    | I've had it up to here with {topic}. | Spit it out, {you}.
  formal {Topic} {is} hardly a small matter. | How very interesting. | I had not considered {topic} in that light.
    | You put it well, {you}. | One hears such things about {topic}. | I should be careful with {topic}, if I were you.
  mechanical {Topic}: noted. | {Bare} added to inventory. | {You} is {n} percent convincing. | Statement plausible. | Filed under: {bare}. | Input accepted. | Statement from {you} logged. | {Topic}: relevance unclear. | Updating.
    | Keyword detected: {bare}. | No contradiction found.
  playful {Topic}! My favourite subject, as of now. | Ooh, tell it again, with voices! | I'd trade you for {topic}, {you}.
    | If {topic} could talk, we'd all have to leave. | I bet you say that to everyone, {you}.
  somber {Topic}. It always comes to {topic}, in the end. | I dreamed of {topic} once. | The quiet ones know, {you}.
    | There was a time {topic} meant something else. | We'll remember this hour for {topic}.
  timid {Topic}? Oh dear. | Should we be talking about {topic}? | I, um, I had a feeling about {topic}.
    | You say that so calmly, {you}. | I wish you hadn't mentioned {topic}.

loss
  any I'm sorry, {you}. | That's a hard thing to carry. | Nobody should have to say that out loud. | {Topic}. I didn't know.
    | I've no words for that, and I won't pretend to.
  warm Oh, {you}. Come here. | Let it out, nobody here will mind. | Tell me about {topic}, when you can.
  rough Hm. That's rotten luck. | I've lost my share. It doesn't get lighter, you get stronger. | Drink up, {you}. On me, this once.
  formal You have my sincere condolences. | Words are poor things at such a time, {you}. | I grieve to hear it.
  mechanical Loss recorded. No repair available. | Condolence protocol: I am near you, {you}. | {Topic}: marked absent. Regrettable.
  playful I had a joke ready. I'll put it away. | Then tonight we drink to {topic}. | Oh. No, I won't make light of that, {you}.
  somber The dead keep better company than we do. | So you carry one too. | {Topic} {is} not gone while you say the name.
  timid Oh no. Oh, {you}. | I never know what to say. I'm so sorry. | Does it, does it ever stop hurting?

plan
  any It could work. | I've heard worse. | And if it goes wrong? | Count me in, {you}. | Not without a better reason.
    | What would we do about {topic}?
  warm We'll do it together, then. | Only if everybody comes home, {you}. | Let me pack something to eat first.
  rough Stupid. I'm in. | And who carries {topic}? Me, I suppose. | That'll get us killed, {you}.
  formal A bold proposal, {you}. | I see two objections, and both are {topic}. | I would advise patience.
  mechanical Plan evaluated. Success: {n} percent. | Proposal accepted with reservations. | Missing step: {bare}.
  playful Yes! Terrible idea! Let's! | Can I be the one with {topic}? | I'll bring the noise, {you}.
  somber It won't bring anything back. | I followed a plan once, {you}. | Then let it be soon.
  timid Do we have to? | Couldn't we just wait, {you}? | I'll come. I'll hate it, but I'll come.

event
  any Did everybody see that? | Well, that changes the evening. | {Topic}, now of all times. | I saw it too.
    | That was bound to happen. | Leave {topic} be for a moment.
  warm Everybody all right? | Stay close, all of you. | Easy now, it's only {topic}. | Come away from there, {you}.
  rough What now? | Somebody deal with {topic}. | If that's {topic}, I want my coat. | Nobody panic until I do.
  formal How extraordinary. | One moment, if you please. | I trust {topic} will not keep us long. | Let us stay calm.
  mechanical {Bare}: unscheduled. | Disturbance at {bare}. | All units, hold position. | Event recorded. | Change detected: {bare}. | Environment updated. | Risk level: {n} percent.
  playful Finally, something happens! | I had nothing to do with {topic}. This time. | Ten coins says it gets worse!
  somber It begins. | I heard {topic} before you did. | Every night ends this way, sooner or later. | There it is.
  timid What was that? What was that? | Is it {topic}? Tell me it isn't {topic}. | I want to go home. | Somebody look. Not me.

whisper
  any I heard you. Not here. | Quietly, then. | Say no more, {you}. | I'll think on it. | That stays between us.
    | You were right to come to me first.
  warm Your trust is safe with me, {you}. | Thank you for telling me. | We'll talk when the room is empty.
  rough Keep your voice down. | Who else knows? | Not a word to the others, {you}. | If that's a trick, you'll regret it.
  formal You have my discretion. | I shall consider it, {you}. | Let us not be seen conferring.
  mechanical Private channel confirmed. | Received. Not for record. | Message from {you} held.
  playful Ooh, are we plotting? | My lips are sealed. Mostly. | I knew you liked me best, {you}.
  somber I feared you would say that. | Then we carry it together. | Some things should only be said in the dark.
  timid Why tell me? | I won't tell. I promise I won't. | Oh no. Does anyone else know, {you}?

deflect
  any Let that one lie, {you}. | There are better things to ask about. | I wouldn't know. | Ask me when the room is emptier.
    | That's not a question for tonight. | {Topic}? You've been listening to the wrong people.
  warm Let's not spoil the evening, {you}. | Some doors I keep shut for everyone's sake. | Not that one. Ask me another.
  rough Drop it. | Who's been talking? | You don't want to pull on that thread, {you}. | Mind your own.
  formal I would prefer not to discuss it. | You will forgive me if I change the subject. | That is a private matter, {you}.
  mechanical Access restricted. | Query outside permitted range. | No response available, {you}.
  playful Ooh, look over there! | I forget. I always forget that one. | Next question, before I blush.
  somber Leave the dead their quiet. | I don't speak of that. | You wouldn't thank me for the answer, {you}.
  timid I don't, I can't talk about that. | Please ask somebody else. | I never said anything about {topic}. Did I?

hint
  any There's more to it than I can say in company. | I know what I know. | If you watched me closely, {you}, you'd guess.
    | Ask me again when we're alone.
  warm Someday I'll tell you why, {you}. | There's a thing I should have told you long ago.
  rough I've got my reasons, and they're mine. | Keep one eye on me, {you}. I would.
  formal There are circumstances I am not at liberty to mention. | I have said rather too much already.
  mechanical Certain records are sealed. | Full answer exceeds clearance.
  playful I've got a secret and you can't have it! | If you knew what I know, you'd laugh. Or run.
  somber There is something under all this, and it has my name on it. | I sleep badly, {you}. Leave it at that.
  timid I'm not supposed to say. | If I tell you, you mustn't look at me like that.

silence
  any Nobody's talking, so I will. | Too quiet in here. | Well, somebody say something. | Where were we?
    | I'll say what everyone's thinking. | {Other}, you've gone quiet.
  warm You all look like you need something hot. | How are you holding up, {other}? | It's good to have you all here.
  rough Did somebody die? | {Other}, you look like a wet cat. | I've been in livelier graveyards.
  formal If I may break the silence. | It occurs to me, {other}, that nobody has asked. | A thought, if you will permit me.
  mechanical Idle time exceeded. | Status report. | Silence: {n} seconds. Purpose unclear.
  playful I'm bored. Entertain me, {other}! | First one to speak owes me a drink. Oh, no. | Shall I sing?
  somber Listen to that. Nothing at all. | It was an evening like this one. | The longer we wait, the less we'll say.
  timid Is it always this quiet? | Sorry, did somebody say something? | I could, um, I could go and look.

instructed
  any There's {topic} to talk about. | Somebody ought to bring up {topic}, so I will. | About {topic}.
    | I've been meaning to come to {topic}.
  warm I've been thinking about {topic}, and about all of you. | Let's talk about {topic}, gently.
  rough Right. {Topic}. | Nobody's leaving until we've settled {topic}.
  formal I should like to raise {topic}. | It is time we considered {topic}.
  mechanical Next item: {bare}. | Priority set: {bare}.
  playful Who wants to hear about {topic}? Everyone? Good. | Let's have some fun with {topic}!
  somber We can't walk around {topic} forever. | It comes down to {topic}, then.
  timid I have to say something about {topic}. | Nobody told me to, but, um, {topic}.

recall
  any I remember this much. | Here's what I know. | Everybody knows it, but nobody says it. | It goes like this.
  warm My people used to tell it. | Here's a thing worth knowing, {you}.
  rough Listen, because I say it once. | You want facts? Here.
  formal It is a matter of record. | You may find this of use, {you}.
  mechanical Archive entry. | Stored fact.
  playful Gather round, it's a good one! | Did I ever tell you?
  somber It's old, but it holds. | I keep coming back to it.
  timid I read it somewhere. | I hope I've got it right.

world
  any {Fact}, in case nobody noticed. | Mind you, {fact}. | And {fact}, don't forget. | {Fact}, and that's the way of it.
  warm {Fact}, so nobody needs to fret. | Just so you know, {you}, {fact}.
  rough {Fact}. Anybody going to do something? | {Fact}, no thanks to you, {you}.
  formal I note that {fact}. | I would remind everyone that {fact}.
  mechanical Status: {fact}. | Observation: {fact}.
  playful Psst, {fact}! | Small thing, tiny thing: {fact}.
  somber {Fact}. It was not always so. | See for yourselves: {fact}.
  timid Um, {fact}. Is that all right? | Has nobody seen that {fact}?

admit
  any Truth be told, {want} | I'll say this for myself: {want} | You know me. {Want} | {Want}
  rough Don't laugh. {Want} | {Want} That's the whole of me.
  formal I confess it freely: {want} | {Want}
  mechanical Directive: {want} | {Want}
  playful Between us? {Want} | {Want} There, I said it!
  somber {Want} It's little enough to ask. | Even now, {want}
  timid It's silly, but {want} | {Want} Sorry.

about
  any Ask ten people about {topic} and you'll hear eleven stories. | I wouldn't go looking for {topic} alone.
    | There's more talk about {topic} than sense. | I've seen what {topic} can do to people. | Whoever started {topic} won't be the one to end it.
    | I met somebody once who swore by {topic}. | Nobody asks about {topic} until it's late. | {Topic} cost me a good night's sleep once.
    | You learn about {topic} the hard way or not at all. | I'd believe half of what you hear about {topic}.
  warm I'd rather you kept away from {topic}. | My mother used to hush us when {topic} came up. | People are kinder about {topic} after a meal.
  rough I've no patience for {topic}. | {Topic} never put bread on anyone's table. | Half the liars I know talk about {topic}.
  formal The accounts of {topic} do not agree. | I have read three opinions on {topic}, and believe none. | {Topic} {is} seldom discussed in good company.
  mechanical Data on {bare}: contradictory. | {Bare}: {n} entries, none verified. | Observed {bare} once. Conclusion: avoid.
    | Most statements about {bare} are noise. | {Bare}: do not touch. | Last {bare} on record: {n} days ago. | No manual exists for {bare}.
    | Cost of {bare}: {n} percent of everything.
  playful I once lost a shoe over {topic}. | There's a song about {topic}, and it's filthy. | I'd write about {topic}, but nothing rhymes with it.
  somber {Topic} took more from this place than it gave. | We don't own {topic}. It's the other way round.
    | When I think of {topic}, I think of the quiet after. | {Topic} will be here when we are not.
  timid I try not to think about {topic}. | My cousin said {topic} would find us all one day. | I heard {topic} at night once, or I think I did.

callback
  any And what was that about {past}, {other}? | {Other} had a word to say about {past}, I haven't forgotten.
    | That brings me back to {other} and {past}. | Between {topic} and {past}, I know which I'd choose.
  warm {Other}, you never finished about {past}. | I keep thinking of what {other} said about {past}.
  rough {Other} won't shut up about {past}, and now this. | First {past}, now {topic}.
  formal I have not forgotten what {other} said of {past}. | {Other} raised {past}, and rightly.
  mechanical Cross-reference: {other}, {past}. | Unresolved item from {other}: {past}.
  playful {Other} started it, with {past}! | I liked it better when {other} was on about {past}.
  somber First {past}, now this. | {Other} spoke of {past} as if it were over.
  timid {Other} said something about {past} and I can't stop thinking of it. | Is this because of {past}?

address
  any What do you say, {other}? | {Other}, you heard that. | Ask {other}, not me. | {Other} knows more than that face lets on.
  warm {Other}, come and sit with us. | Be kind about it, {other}.
  rough What are you smirking at, {other}? | {Other}, back me up. | And you can stop staring, {other}.
  formal I should value your opinion, {other}. | {Other} will correct me if I am wrong.
  mechanical Second opinion requested: {other}. | {Other}: confirm.
  playful {Other}'s blushing! | I'm with {other}. Whatever {other} said.
  somber {Other} understands. | You have seen it too, {other}.
  timid {Other}, you say it, I can't. | {Other}? Help?

hook
  any What's {topic} to you? | Who told you about {topic}? | So what happens now? | Why ask me, {you}?
    | What would you do, {you}? | Or am I wrong? | What do you need {topic} for? | And then?
  warm Have you eaten anything, {you}? | What's really troubling you? | Will you stay a little?
  rough You going to do something about {topic}, or just talk? | Got a better idea, {you}? | What's it worth to you?
  formal May I ask what brought {topic} to mind? | Would you not agree, {you}? | What do you propose?
  mechanical Is {bare} dangerous? | Define {bare}. | Should {topic} be reported? | Query: purpose of {bare}? | Clarify, {you}? | Next instruction?
  playful Want to bet on it? | Can I keep {topic}? | What's the worst that could happen?
  somber Does it matter, in the end? | What did you leave behind, {you}? | Do you ever think of {topic} at night?
  timid You won't be angry, {you}? | Is that bad? | Should we tell somebody about {topic}?

close
  any That's all I'll say. | And there it is. | Take it or leave it. | We'll see. | Make of that what you will.
  warm Now drink something. | We'll look after each other. | No harm done.
  rough Now move. | End of story. | Don't make me repeat it.
  formal I shall leave it at that. | But I have said enough. | You must judge for yourself.
  mechanical Calculation complete. | Resuming work. | End of statement. | Awaiting input. | Standing by.
  playful You're welcome! | Moral of the story: run. | Ta-da.
  somber The rest is weather. | And so the night goes. | It passes. Everything does.
  timid I think. | Sorry, I'll be quiet. | If that makes sense.

overheard
  any Let {other} answer that. | I'd like to hear what {other} says. | That was meant for {other}, but still.
  warm Give {other} room to breathe. | {Other} will tell it better than I could.
  rough {Other} won't tell you a thing. | Go easy on {other}, that's my job.
  formal I believe the question was for {other}. | I defer to {other} in that.
  mechanical Addressee: {other}. Listening. | Response belongs to {other}.
  playful Oh, watch {other} wriggle! | I know what {other} will say. I'm not telling.
  somber {Other} has no answer to that. None of us do. | Don't press {other}.
  timid I'm glad you asked {other} and not me. | {Other}? You don't have to answer.

acted
  any There. {Fact}. | {Fact} now. | Done: {fact}. | That's settled, {fact}.
  warm There we are, {you}, {fact}. | All done, {fact}.
  rough Happy? {Fact}. | {Fact}. Somebody had to.
  formal I have seen to it: {fact}. | You will find that {fact}.
  mechanical Executed. {Fact}. | Change applied: {fact}.
  playful Ta-da! {Fact}! | Look what I did: {fact}.
  somber {Fact}. It had to be done. | So. {Fact}.
  timid I, um, I did it. {Fact}. | Don't be cross, but {fact}.

conflict
  any Somebody got there before me. | I turn around and it's changed again. | That's not how I left it.
  rough Who's been meddling? | I had that sorted, and now look.
  mechanical Conflict detected. State changed by another. | Expected value not found.
  formal It seems I was overtaken. | Someone has anticipated me.

failed
  any That didn't go the way I meant. | It won't budge. | Well, I tried.
  rough Stupid thing. | Stuck. Of course it's stuck.
  mechanical Operation failed. | No effect.

leave
  any I'm going. Don't wait up. | That's me done for the night. | I've stayed too long already.
  warm I'll leave you to it, my dears. | Look after each other while I'm gone.
  rough I'm off. Don't follow me. | Enough. I need air.
  formal You will excuse me. | I take my leave of you all.
  mechanical Departing. | Leaving this location.
  playful And now I vanish! | Miss me a little!
  somber I'd rather walk. | Don't look for me.
  timid I should, um, I should go. | I can't stay. I'm sorry.

narrate
  any For a moment nobody speaks. | Somewhere outside, something shifts and is still. | {A} looks at {b}, then away.
    | Nobody mentions {topic}, though everybody has heard. | A chair scrapes; nobody turns. | The silence lasts a breath too long.
    | {A} seems about to say something and does not. | What was said hangs over the room. | The hour is later than it feels.
    | {Topic} {is} on everyone's mind, whatever they say. | {B} watches {a} a moment longer than is polite.
    | Somebody laughs, too late, at something nobody said. | The light shifts, and {a} with it. | Outside, the dark comes a step closer.
    | Between {a} and {b} there is suddenly very little room. | The talk thins out until {topic} {is} all that is left of it.
    | Nothing moves but the shadows. | Things settle, the way they do before they break.

reason
  any {A} was asked about {topic}. | {A} has something to say about {topic}. | It concerns {a}. | {A} has been quiet too long.
    | Everyone is looking at {a}. | {A} cannot let that stand.

named
  any {A} was named. | {A} was spoken to. | The question is for {a}.

mood
  any uneasy, and too quiet | warmer than before, for now | strained, with {topic} in the air | expectant | close to a quarrel

hour
  any a little later | deep into the night | when the talk has thinned

aside
  any Keep an eye on {other}. | Did you believe {other}? I didn't. | Not a word of it to {other}.
    | Stay near me for the rest of the evening. | When this is over, find me. | I don't like where this is going.
  warm Are you all right? Truly? | Whatever they say, I'm with you.
  rough When it starts, get behind me. | {Other} is lying. I can smell it.
  mechanical Private: monitor {other}. | Confidential: remain close.
  playful Follow my lead and try not to laugh. | {Other} has no idea, do they?
  somber This won't end well. Stay near the door. | {Other} is hiding something. So are we all.
  timid I'm scared. Don't tell them. | Can we go? Can we just go?

cover
  any Where were we? | As I was saying. | Never mind us. | Carry on.
  mechanical Resuming public channel. | No anomaly to report. | Continue.
  timid Nothing! It was nothing. | Sorry, go on. | I was only, um, asking the time.
  playful Oh, don't mind us, we're in love. | Carry on, carry on. What did I miss?
  rough What are you looking at? | Get on with it.
  formal Forgive the interruption. | Pray continue.

connect
  any Still, | Mind you, | Anyway, | Besides, | Like I always say,
  warm Well, you know me, | But listen, | All the same,
  rough Look, | And another thing, | Either way,
  formal Be that as it may, | Nevertheless, | In any case,
  mechanical Addendum: | Also relevant: | Supplement: | Reminder:
  playful Anyhow, | Oh, and | But here's the best part:
  somber And yet, | Even so, | Once upon a time I would have said:
  timid I mean, | Or, well, | It's only that,

pause
  any looks at {speaker} | says nothing for a moment | shrugs | listens for a moment
  warm smiles at {speaker} | rests a hand on the table | nods slowly
  rough folds both arms | snorts | spits to one side
  formal inclines the head | straightens a cuff | considers {speaker}
  mechanical pauses | turns toward {speaker} | goes still
  playful grins | winks at {speaker} | drums on the table
  somber looks into the dark | does not look up | lets the silence stand
  timid looks at the floor | swallows | glances at {speaker}

tail
  any , slower this time | , eyes on {speaker} | without hurry | and looks up | and waits
`
