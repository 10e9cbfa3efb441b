/** A guest thread whose engine never loads: it hears nothing and never ends. */
setInterval(() => undefined, 1000)
