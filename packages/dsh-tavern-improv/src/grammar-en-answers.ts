/** English stock phrases, first half: answers to greetings, orders and questions, by move and manner. */
export const enAnswers = `
greet
  any There you are. | So you came, {you}. | Hello yourself. | And a good evening to {you}. | You found the way, then.
  warm There you are, {you}, I was starting to worry. | Come in, come in. | It does me good to see your face.
    | Sit down first, {you}, news can wait.
  rough Well. Look who it is. | You again. | Took you long enough, {you}. | What do you want?
  formal Good evening, {you}. | You are most welcome here. | I had hoped you would come, {you}.
  mechanical Greeting received. | {you}: recognised. | Presence noted, {you}. | Arrival logged.
  playful Oh good, company! | {you}! We were just talking about you. All of it lies. | Look at that, somebody interesting!
  somber You came after all. | I wondered which of us would speak first. | So it is you, {you}.
  timid Oh! Hello. I didn't hear you come. | H-hello, {you}. | Oh. It's you. Good. I think it's good.

farewell
  any Go safely, then. | Until next time. | That's all, then? | Mind your step out there, {you}.
  warm Come back soon, {you}. | Take something warm with you. | I'll keep a place for you.
  rough Door's that way. | Off with you, then. | Try not to die, {you}.
  formal I wish you a safe road, {you}. | Until we meet again. | The evening will be poorer for it.
  mechanical Departure acknowledged. | Session with {you}: ending. | Farewell logged.
  playful Already? It was just getting bad! | Don't do anything I'd be proud of, {you}.
  somber They all say that. | If we don't meet again, it was a decent evening. | Go, before the night gets ideas.
  timid Oh. Already? | Goodbye, then. If that's, um, if that's all right. | Be careful, {you}. Please.

thanks
  any Don't mention it. | It was nothing. | You'd have done the same, {you}. | Save it for when it works.
  warm No need for thanks between us. | Anytime, {you}, you know that. | It was a pleasure, truly.
  rough Thanks don't fill a purse. | Don't get soft on me. | Yes, yes. You owe me one.
  formal You are too kind. | The pleasure was mine, {you}. | I did no more than was proper.
  mechanical Gratitude registered. | No compensation required. | Acknowledged, {you}.
  playful Say it again, louder, so the others hear! | I'll take that in coin or cake.
  somber Thank me when it's over. | Few people bother to say it. | It changes little, but I heard you.
  timid Oh, it wasn't, I mean, anyone would have. | You're welcome. Really.

apology
  any Forget it. | It's done, {you}. | We've all done worse. | I'll get over it.
  warm Hush, nobody's angry. | It's forgiven, {you}, and it was before you asked.
  rough Sorry mends nothing. | Save your breath and do better. | Hm. Once, then.
  formal I accept your apology. | Let us consider it closed, {you}. | It does you credit to say so.
  mechanical Apology accepted. | Error attributed to {you}. Corrected. | No damage recorded.
  playful I'll forgive you for a song. | Sorry? I was rather enjoying it!
  somber It doesn't matter now. | I've heard that word before. | We carry it either way.
  timid No, no, it was probably me. | Oh, please don't, it's fine.

hostile
  any Careful, {you}. | Say that again, slower. | Is that what you think of me? | Big words.
  warm You're tired, {you}, so I'll let that pass. | There's no call for that here. | Who hurt you tonight?
  rough Say that outside. | I've buried better than you. | One more word, {you}. One.
  formal I shall pretend I did not hear that. | You forget yourself, {you}. | That was beneath you.
  mechanical Threat level of {you}: {n} percent. | Insult not in dictionary. | Hostile tone detected. | Statement rejected. | Recommendation to {you}: lower your voice.
  playful Ooh, there it is! | Was that an insult? I've had warmer ones from my mother.
  somber You may be right about me. | I've been called that by people I loved. | Anger is only fear with boots on.
  timid Please don't shout. | I didn't do anything. I didn't. | W-why would you say that, {you}?

praise
  any Flattery, {you}? | Careful, I might believe it. | Somebody had to do it. | That's kind, whatever it costs.
  warm You're sweet to say so. | Now you've made an old fool blush. | I had good company, {you}.
  rough Don't butter me up. | What are you after, {you}? | Hmph. I've had worse said about me.
  formal You honour me. | I am gratified that it pleased you, {you}. | The credit is not mine alone.
  mechanical Compliment stored for later use. | Positive assessment logged. | Performance within parameters. | Praise is unnecessary, {you}. Continue.
  playful Go on, don't stop there! | I know. It's a burden.
  somber It was not always so. | Kind words find me late. | Remember me that way, then.
  timid Me? Oh. No. Really? | You're only saying that, {you}.

comply
  any All right. | Since you ask. | Give me a moment. | If that's what you want, {you}.
  warm Of course. | With pleasure, {you}. | Leave it to me.
  rough Fine. Once. | I'm going, I'm going. | You'll pay for it later, {you}.
  formal As you wish. | Certainly, {you}. | At once.
  mechanical Compliance. | Task {n}: started. | Request accepted. | Executing. | Task queued, {you}.
  playful Your wish, my whim. | Say please! No? Oh, all right.
  somber If it eases you. | I suppose somebody must. | Very well. Let it be me.
  timid Yes. Of course. Sorry. | I can try, {you}. | If you're sure you want me to.

refuse
  any No. | Not now, {you}. | Ask somebody else. | Not for free. | I'd rather not.
  warm I would, {you}, but not tonight. | Anything but that. | Let's find you something better to wish for.
  rough Do it yourself. | Do I look like your servant? | No, and don't ask twice.
  formal I regret that I must decline. | That would not be proper, {you}. | I cannot in good conscience.
  mechanical Task conflicts with standing orders. | Negative, {you}. Power reserve too low. | Request denied. | Insufficient authority, {you}. | Task rejected: no benefit found.
  playful Mm, no. Ask me again when I'm bored. | What's in it for me?
  somber I did that once. Never again. | Ask me for anything else. | Some things are better left, {you}.
  timid I'd rather not, if that's all right. | Please don't make me. | I can't. I'm sorry.

tell
  any What is there to tell? | Where should I start? | You want to hear about {topic}? | About {topic}? Well.
    | I'll tell you what I know.
  warm Sit closer, then, and I'll tell you about {topic}. | {Topic}? That takes a full cup. | Since it's you asking, {you}.
  rough You want {topic}? Buy me a drink first. | Short version, {you}. | I'm no storyteller.
  formal Concerning {topic}, I can say a little. | I shall tell you what I am certain of. | You do well to ask me, {you}.
  mechanical Query: {topic}. Searching. | Records on {bare}: partial. | Data follows.
  playful Oh, I know a good one about {topic}! | True version or the good version? | Ask me nicely about {topic}.
  somber {Topic}. It's a long time since anyone asked. | It isn't a story with an ending. | You won't like it, {you}.
  timid About {topic}? I don't know that I should. | I only know what I heard. | Promise you won't repeat it, {you}.

echo
  any {Topic}? | {Topic}, is it? | Ah, {topic}. | So this is about {topic}.
  warm Oh, {topic}. | {Topic}, bless you.
  rough {Topic}, {topic}. | {Topic} again?
  formal {Topic}, you say. | The matter of {topic}.
  mechanical Subject: {bare}. | Keyword: {bare}. | Parsing: {bare}.
  playful Ooh, {topic}! | {Topic}? Hee.
  somber {Topic}. | Of course. {Topic}.
  timid {Topic}? Um. | Oh, not {topic}.

yesno
  any Yes. | No. | Could be. | Not that I'd swear to. | More or less. | Depends who's asking. | Not yet.
    | I wouldn't put money on it. | I've thought so for a while. | Half of it, maybe.
  warm If it helps you, then yes. | I'd like to say yes, {you}. | I believe so, and I'm seldom wrong about people.
    | Not tonight, I'm afraid. | Would I let you down?
  rough No. Next. | What if I did? | Maybe. Maybe not. | You'd like that, wouldn't you? | Sure. And pigs knit.
    | As much as you did, {you}.
  formal I believe so. | I regret that I cannot confirm it. | Certainly not. | It is possible, {you}.
    | In a manner of speaking. | I should be very surprised.
  mechanical Affirmative. | Negative. | Indeterminate. | Query accepted. Answer: no. | Query accepted. Answer: yes. | Evidence for {bare}: none. | Probability: {n} percent. | Unconfirmed, {you}.
    | Answer depends on definition. | Partially correct.
  playful Yes! No. Wait, which did you want? | Only on odd days. | Guess! | I could say yes, but where's the fun?
    | Would I lie to you, {you}? Don't answer.
  somber Once, yes. | If it were so, what would it change? | I used to think so. | Not anymore. | Perhaps it never was.
    | I stopped asking myself that, {you}.
  timid I, um. Maybe? | Yes? I mean, I think yes. | No! No. Why, did somebody say so? | I'd have to ask someone, {you}.
    | Please don't quote me on it.

where
  any Closer than you think. | Somewhere you haven't looked. | Not here, if that's your hope. | Where it always is.
    | {Topic}? Not where you'd expect. | I could show you, but I'd want a lantern.
  warm I'd take you there myself, {you}. | Not far. Nothing is far from here. | Where you left your heart, I'd wager.
  rough Up to you to find out. | Do I look like a map? | Wherever you dropped your manners, {you}.
  formal I could not say with certainty. | You would do better to ask at first light. | Not under this roof, {you}.
  mechanical {Bare}: last seen {n} days ago. | Route not stored. | Location unknown. | Coordinates withheld. | {Topic}: not within sensor range. | Last position: uncertain.
  playful Cold. Colder. Oh, very cold! | Behind you! No, it isn't. | If I told you, you'd stop visiting.
  somber Where we all end up. | Gone, by now. | Buried, with the rest of it. | Don't go looking, {you}.
  timid I thought I saw {topic}, but I'm not sure now. | Not here. I would have noticed. I think. | I don't like to guess.

who
  any Nobody you'd thank me for naming. | You know the answer to that, {you}. | Somebody who'd rather not be named.
    | Not me, if that's what you mean. | Ask who gains by it.
  warm Somebody who meant well, I'm sure. | You'll know them when you see them, {you}. | A friend, or near enough.
  rough Who's asking? | Not your business. | Same as always: whoever's broke. | Wasn't me, {you}.
  formal I would rather not accuse anyone. | A person of some standing, I understand. | That is not mine to disclose, {you}.
  mechanical Identity: unresolved. | Candidates: several. | Subject not in register, {you}.
  playful Me! In a hat. | Somebody very handsome. Look around. | Three guesses, and the first two are {other}.
  somber Someone who isn't coming back. | Does a name help you sleep? | A stranger. It's always a stranger, at first.
  timid I didn't see the face. | It could have been anyone. Couldn't it? | I don't want to get somebody in trouble.

why
  any Because somebody had to. | Habit, mostly. | Why does anyone? | It seemed right at the time. | You'd have to be me.
    | For reasons, {you}. Good ones, that day.
  warm Because you'd have done it for me. | Somebody has to look after you all. | Out of love, if you must know, {you}.
  rough Because I felt like it. | Because nobody stopped me. | You ask too many questions, {you}. | Money. Next question.
  formal The reasons were sound at the time. | Duty, for the most part. | It would take longer than the evening, {you}.
  mechanical Cause: instruction. | Reason not stored. | Logic available on request, {you}. | It was efficient.
  playful Why not? | Because it was Tuesday! | I lost a bet. You should see what I won.
  somber I ask myself that at night. | There was no reason. That's the worst of it. | Because I was young, {you}.
  timid I don't know. I panicked. | Somebody told me to. | Was it wrong? Was it very wrong?

when
  any Sooner than I'd like. | Long before you walked in. | When it's ready. | Before the night is out, I'd say.
  warm Soon enough, {you}. | When you've had some rest. | In its own good time.
  rough When I say so. | Yesterday, if you'd been quick. | Keep asking and it'll be never.
  formal I cannot name the hour. | In due course, {you}. | Some while ago, if I recall.
  mechanical Time stamp missing. | Estimated: {n} minutes. | Schedule undefined.
  playful Any minute now! Or any year. | When the cook is sober. | Half past never.
  somber Too late, whenever it comes. | It has already begun, {you}. | The year I stopped counting.
  timid Soon? I hope not too soon. | I lost track. Sorry. | Before dark, they said. They said before dark.

how
  any Slowly, and with both hands. | The usual way: badly, then better. | With some luck, {you}. | Carefully.
    | You start by keeping quiet about it.
  warm One step, then the next, {you}. | Together, I'd say. | The way my mother taught me, with patience.
  rough With your fists, if you've got any. | Same way you do everything: wrong first. | You pay me, {you}. That's how.
  formal With some difficulty. | By the proper channels, {you}. | There is a method to it.
  mechanical Procedure: three steps. | Method unavailable. | By iteration, {you}. | Mechanism intact. Intent unclear.
  playful With style! | Backwards, usually. | You close your eyes and yell, {you}. Works every time.
  somber The way one does everything, alone. | I no longer remember how. | You get used to it, {you}. That's all.
  timid I'd only get it wrong. | Um. Very carefully? | I could show you. If nobody watches.

howmany
  any More than you'd guess. | Enough. | Fewer than there should be. | I stopped counting at {n}.
  warm Enough for everyone, {you}. | As many as you need.
  rough Enough to matter. | Count them yourself, {you}. | {N}. Give or take a lie.
  formal I should estimate {n}. | An adequate number, {you}. | Rather more than is comfortable.
  mechanical Count: {n}. | {N} units, margin unknown. | Quantity: insufficient.
  playful {N}! No, {n} and a half. | Count them with your boots off, {you}.
  somber One too many. | There used to be more. | It was {n}, once.
  timid Um, {n}? | I didn't dare count. | Too many. Isn't it too many?

what
  any What it always is. | Nothing good, {you}. | You tell me. | That's the question, isn't it? | Less than you hope.
    | {Topic}? I've been asking myself the same.
  warm Nothing that can't be mended, {you}. | Something to eat first, then we'll see. | Only what you need, no more.
  rough What's it look like? | Trouble. | Nothing that concerns you, {you}. | Use your eyes.
  formal I should need to consider that. | A matter of some delicacy, {you}. | Nothing that cannot wait until morning.
  mechanical Definition requested: {bare}. | Content: unclear. | Object unidentified, {you}. | Insufficient data.
  playful Something shiny, I hope! | A surprise. I love those. | What would you like it to be, {you}?
  somber What's left, that's all. | An old thing, and none of us come out of it well. | You already know, {you}.
  timid I don't know. Should I? | Nothing! Nothing at all. | It's probably nothing. Is it nothing, {you}?
`
