/** Words that appear in names of note-taker bots but not in names of people. */
const ROLE = /\b(?:note[ -]?taker|notes? bot|recorder|otterpilot)\b/i

/** Product names. Some are also family names, so a longer name that contains one is not enough. */
const PRODUCT = String.raw`(?:otter|fireflies|fathom|tl;?dv|read\.ai|meetgeek|hansard)(?:\.[a-z]{2,3})?`
const HAS_PRODUCT = new RegExp(String.raw`\b${PRODUCT}\b`, 'i')
const IS_PRODUCT = new RegExp(`^${PRODUCT}$`, 'i')
/** Words that mark a name with a product name as a bot; also matches the "ai" in `Otter.ai`. */
const MACHINE = /\b(?:agent|ai|assistant|bot|meeting|notes?|pilot)\b/i

/**
 * Whether a sanitized name belongs to another recording bot: a role word, a product name alone, or a product name with a
 * bot word.
 */
export function isNoteTakerBotName(name: string): boolean {
  return ROLE.test(name) || IS_PRODUCT.test(name) || (HAS_PRODUCT.test(name) && MACHINE.test(name))
}
