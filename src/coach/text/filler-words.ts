/** English filler sounds and filler phrases. */
const FILLER =
  /\b(?:u+[hm]+|e+r+m*|hmm+|you know|i mean|(?<!(?:what|this|that|some|any|every|other|the|a|one) )(?:kind|sort) of)\b|, like,/gi
/** Words after "you know" or "I mean" that make the phrase part of the sentence and not a filler. */
const CONTENT_FOLLOWS =
  /^(?: what| how| why| who| where| when| that| the| if| whether| it| him| her| them)\b/i

export function countFillers(text: string): number {
  let fillers = 0
  for (const { 0: found, index } of text.matchAll(FILLER)) {
    const isPhrase = found.length > 5 && /^[yi]/i.test(found)
    const after = index + found.length
    if (!isPhrase || !CONTENT_FOLLOWS.test(text.slice(after, after + 10))) fillers += 1
  }
  return fillers
}
