/** Characters without a shape of their own, such as soft hyphens, zero-width spaces and direction marks. */
const INVISIBLE = /\p{Cf}|(?!\s)\p{Cc}/gu

/**
 * The form in which two texts are compared that people typed in different programs: one encoding for each letter (Apple
 * writes accents as characters of their own), any kind of space as one space, and lower case.
 */
export function toComparableText(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(INVISIBLE, '')
    .replaceAll(/\s+/g, ' ')
    .toLowerCase()
    .normalize('NFKC')
    .trim()
}
