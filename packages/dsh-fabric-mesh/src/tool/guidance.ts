/** What the model is told of the tool. */

export const description =
  'Coordinate with other agents through durable topics, versioned state and actor mailboxes of this workspace. What is there outlives this turn, this process and every summary of the conversation.'

export const guidance = `## The shared mesh

\`fabric_mesh\` holds what must outlive a tool call, a program, a handoff to another agent or a context compaction: topics (messages in order), state (values with versions) and actors (mailboxes whose messages are claimed and settled).

- Look before you act. After a break, a restart or a \`TOOL_OUTCOME_UNKNOWN\`, read the state, topic or mailbox in question; your memory of it may be old, and a write may have happened. Give \`id\` to a publish, send or change that you may have to repeat: it is then made once.
- Change state with the \`expected_version\` you saw last, 0 for a new key. A version-conflict carries the current record: decide anew from it.
- A claim is yours until you settle it with its \`claim_token\`, or release it. In an actor with \`lease_ms\` it ends unless you \`extend_claim\` in time. Lost the token? \`claim_actor_message\` with \`message_id\` gives it again, while you hold the claim.
- Follow a topic or mailbox with \`after\`, the last sequence you saw; \`wait\` instead of reading again and again. Waiting on an actor claims its next message.
- Refusals are JSON with \`error.code\`: act on the code.`
