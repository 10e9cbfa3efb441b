/** `ctx.checkedCode` on QuickJS. */
export {}
