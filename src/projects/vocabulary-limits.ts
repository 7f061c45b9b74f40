/** How many names and terms a project may have, and how long each may be. */
export const MAX_TERMS = 1_000
export const MAX_TERM_CHARS = 100
