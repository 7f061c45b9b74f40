import { toComparableText } from '../../lib/text/comparable-text.ts'

/** A user, as far as the owners of action items are compared with it. */
export type NamedUser = { id: string; name: string; email: string }

/** Only the accents of European scripts: in others such characters are vowels, and distinguish names. */
const ACCENTS = /[\u0300-\u036F]/g
const LETTERS_WITHOUT_ACCENT: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  æ: 'ae',
  œ: 'oe',
}
/** What platforms add to the name of a participant. */
const NAME_SUFFIX = /\s*\((?:guest|external|unverified|host|you)\)$/
const EMAIL_ADDRESS = /^[^\s@]+@[^\s@]+$/

/** A name without letter case, accents and punctuation. "Lovelace, Ada" becomes "ada lovelace". */
function foldName(name: string): string {
  const text = toComparableText(name).replace(NAME_SUFFIX, '')
  const [last = '', first, ...more] = text.split(',')
  const ordered = first !== undefined && more.length === 0 ? `${first} ${last}` : text
  return ordered
    .normalize('NFD')
    .replaceAll(ACCENTS, '')
    .normalize('NFC')
    .replaceAll(/[ßøłđæœ]/g, (letter) => LETTERS_WITHOUT_ACCENT[letter] ?? letter)
    .replaceAll(/[\s._]+/g, ' ')
    .trim()
}

/** The name of a user, and the part of the address before the @ if it has several words, such as ada.lovelace. */
function listFullNames({ name, email }: NamedUser): string[] {
  const fromAddress = foldName(email.slice(0, email.lastIndexOf('@')).replace(/\+.*/s, ''))
  return [foldName(name), ...(fromAddress.includes(' ') ? [fromAddress] : [])]
}

function firstWordOf(foldedName: string): string {
  return foldedName.split(' ', 1)[0] ?? ''
}

/**
 * Whether a user may be meant by an owner: by the address, the full name, or the first name. It says only which owners
 * are worth a closer look by `findOwnersOf`.
 */
export function mayMean(user: NamedUser, owner: string): boolean {
  const folded = foldName(owner)
  return (
    toComparableText(owner) === toComparableText(user.email) ||
    listFullNames(user).includes(folded) ||
    firstWordOf(folded) === firstWordOf(foldName(user.name))
  )
}

/**
 * Those of the owners that mean the user. A wrong match is worse than a missing one, so a name that also fits another
 * user means neither of them. A first name alone counts only if no other user and no other owner has it.
 */
export function findOwnersOf(
  user: NamedUser,
  allUsers: readonly NamedUser[],
  owners: readonly string[],
): string[] {
  const others = allUsers.filter(({ id }) => id !== user.id)
  const namesOfOthers = new Set(others.flatMap(listFullNames))
  const fullNames = new Set(listFullNames(user).filter((name) => !namesOfOthers.has(name)))
  const firstName = firstWordOf(foldName(user.name))
  const isAnothers = (folded: string) => folded.split(' ').includes(firstName)
  const isFirstNameUnique =
    !others.some(({ name }) => isAnothers(foldName(name))) &&
    !owners.some((owner) => {
      const folded = foldName(owner)
      return folded !== firstName && !fullNames.has(folded) && firstWordOf(folded) === firstName
    })
  return owners.filter((owner) => {
    const text = toComparableText(owner)
    if (EMAIL_ADDRESS.test(text)) return text === toComparableText(user.email)
    const folded = foldName(owner)
    return fullNames.has(folded) || (isFirstNameUnique && folded === firstName && folded !== '')
  })
}
