/** What the model reads about `run_code` when `code` is its one required argument. */

export const RUN_CODE_DESCRIPTION =
  'Runs one TypeScript program that you write. `code` is all it needs: what would stand between the braces of an async function, so `await` and `return` work at the top. Types are checked first, against the tools as the system prompt declares them, and a program that fails the check does nothing at all; syntax that leaves more than types behind (enum, namespace) is refused. Every tool is `await tools.name(args)`. You see what the program returns and logs, and pictures that its tools gave; choose what is worth reading.'

export const CODE_DESCRIPTION = 'TypeScript, as the inside of an async function.'

export const TITLE_DESCRIPTION =
  'Optional: what the program does in 5 to 10 words, shown to the person. A comment on the first line of the program serves as well.'
