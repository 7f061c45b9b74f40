/** What nobody is called but a program that takes notes. */
const ROLE = /\b(?:note[ -]?taker|notes? bot|recorder|otterpilot)\b/i

/** Many of them are family names, too: alone they say nothing of whose name they are in. */
const PRODUCT = String.raw`(?:otter|fireflies|fathom|tl;?dv|read\.ai|meetgeek|hansard)(?:\.[a-z]{2,3})?`
const HAS_PRODUCT = new RegExp(String.raw`\b${PRODUCT}\b`, 'i')
const IS_PRODUCT = new RegExp(`^${PRODUCT}$`, 'i')
/** Also inside of `Otter.ai`. */
const MACHINE = /\b(?:agent|ai|assistant|bot|meeting|notes?|pilot)\b/i

/** Whether a clean name is that of another note-taker: the name of a product, or one with a word for what it is. */
export function isNoteTaker(name: string): boolean {
  return ROLE.test(name) || IS_PRODUCT.test(name) || (HAS_PRODUCT.test(name) && MACHINE.test(name))
}
