/**
 * The largest recap, whoever makes it. More entries or longer texts would help nobody, and what people or a model say must
 * not fill the database.
 */

/** Decisions, actions, open questions and topics: so many of each. */
export const MAX_ENTRIES = 100
/** Segments that one entry cites. */
export const MAX_CITATIONS = 50
export const MAX_TEXT_CHARS = 400
export const MAX_DUE_CHARS = 60
