/** A sentence terminator of any script, with closing quotes and brackets, at the end of a text. */
const SENTENCE_END_AT_END = /[.!?…؟。！？｡]["'”’»)\]）」』]*\s*$/u

/** Whether the last sentence of a text is complete. */
export function endsLikeSentence(text: string): boolean {
  return SENTENCE_END_AT_END.test(text.slice(-20))
}
