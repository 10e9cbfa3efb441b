/** What the model reads about `run_code` when `code` is its one required argument. */

export const RUN_CODE_DESCRIPTION =
  'Run a TypeScript program against the available tools. One required argument: `code`, the BODY of an async function (erasable syntax only; top-level `await` and `return` work). The program is type checked against the declared tools before any of it runs. Call tools as `await tools.name(args)` per the declarations in the system prompt. Only what you print or return is program output, so curate it. Image-bearing tool results are attached after the run.'

export const CODE_DESCRIPTION = 'The program: the body of an async TypeScript function.'

export const TITLE_DESCRIPTION =
  'Optional: what the program does in 5 to 10 words, shown to the person. A comment on the first line of the program serves as well.'

/** After the diagnostics of a program that writes files and does not parse. */
export const TEXT_HINT =
  'Hint: the text given to tools.edit or tools.write may break the program around it. In a template, write \\` for a backtick and \\${ for a dollar and brace; or put the lines into an array of plain strings and join them.'
