import { removeControlCharacters } from '../../lib/text/plain-text.ts'
import { EmailAddress } from '../../lib/text/validation.ts'
import { ScimError } from './scim-error.ts'

export type ScimEmail = { value: string; type?: string; primary?: boolean }
export type ScimName = { formatted?: string; familyName?: string; givenName?: string }

/** The attributes that only provisioning needs. */
export type UserAttributes = {
  displayName: string | null
  name: ScimName
  emails: ScimEmail[]
}

export type UserFields = UserAttributes & {
  userName: string
  externalId: string | null
  active: boolean
}

const MAX_TEXT = 256
const MAX_EMAILS = 20
const MAX_NAME = 100
const NAME_PARTS = ['formatted', 'familyName', 'givenName'] as const
/** A client that repeats thousands of names makes no request slow. */
const MAX_ATTRIBUTES = 200

/** The attributes of an object by name in lower case. Names of JavaScript, such as `__proto__`, mean nothing here. */
export function readAttributes(value: unknown, path: string): Map<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ScimError('invalidSyntax', `${path} must be an object`)
  const entries = Object.entries(value)
  if (entries.length > MAX_ATTRIBUTES)
    throw new ScimError('invalidValue', `${path} has more than ${MAX_ATTRIBUTES} attributes`)
  return new Map(entries.map(([name, inner]) => [name.toLowerCase(), inner]))
}

/** Reads the attributes of a user that Hansard uses. It ignores the others, as RFC 7644 allows. */
export function readUserFields(attributes: ReadonlyMap<string, unknown>): UserFields {
  const userName = readText(attributes.get('username'), 'userName')
  if (userName === null) throw new ScimError('invalidValue', 'userName is missing')
  const given = attributes.get('name')
  const name = given === undefined || given === null ? new Map() : readAttributes(given, 'name')
  const parts = NAME_PARTS.flatMap((part) => {
    const text = readText(name.get(part.toLowerCase()), `name.${part}`)
    return text === null ? [] : [[part, text] as const]
  })
  return {
    userName,
    externalId: readText(attributes.get('externalid'), 'externalId'),
    displayName: readText(attributes.get('displayname'), 'displayName'),
    name: Object.fromEntries(parts),
    emails: readEmails(attributes.get('emails')),
    active: readBoolean(attributes.get('active') ?? true, 'active'),
  }
}

export function readText(value: unknown, path: string): string | null {
  if (value === undefined || value === null) return null
  if (typeof value !== 'string') throw new ScimError('invalidValue', `${path} must be a text`)
  if (value.length > MAX_TEXT)
    throw new ScimError('invalidValue', `${path} has more than ${MAX_TEXT} characters`)
  if (value.includes('\0') || !value.isWellFormed())
    throw new ScimError('invalidValue', `${path} has characters that cannot be stored`)
  return value.trim() === '' ? null : value
}

/** Microsoft Entra ID sends the texts "True" and "False". */
export function readBoolean(value: unknown, path: string): boolean {
  if (typeof value === 'boolean') return value
  const text = typeof value === 'string' ? value.toLowerCase() : ''
  if (text === 'true' || text === 'false') return text === 'true'
  throw new ScimError('invalidValue', `${path} must be true or false`)
}

function readEmails(value: unknown): ScimEmail[] {
  if (value === undefined || value === null) return []
  const list = [value].flat()
  if (list.length > MAX_EMAILS)
    throw new ScimError('invalidValue', `emails has more than ${MAX_EMAILS} values`)
  const emails = list.flatMap((item): ScimEmail[] => {
    const email =
      typeof item === 'string' ? new Map([['value', item]]) : readAttributes(item, 'emails')
    const address = readText(email.get('value'), 'emails.value')
    if (address === null) return []
    const type = readText(email.get('type'), 'emails.type')
    const primary = readBoolean(email.get('primary') ?? false, 'emails.primary')
    return [{ value: address, ...(type !== null && { type }), ...(primary && { primary }) }]
  })
  if (emails.filter(({ primary }) => primary).length > 1)
    throw new ScimError('invalidValue', 'Only one of the emails can be the primary one')
  return emails
}

/** The email that is the address of the account: the primary one, else the one for work, else the first. */
export function findMainEmail(emails: readonly ScimEmail[]): ScimEmail | undefined {
  const ofWork = emails.find(({ type }) => type?.toLowerCase() === 'work')
  return emails.find(({ primary }) => primary) ?? ofWork ?? emails[0]
}

/** The address of the account. A user without emails signs in with a userName that is an address. */
export function toAccountEmail({ emails, userName }: UserFields): string {
  const text = (findMainEmail(emails)?.value ?? userName).trim().toLowerCase()
  const email = text.length > 254 ? undefined : EmailAddress.safeParse(text).data
  if (email !== undefined) return email
  const what = emails.length === 0 ? 'emails is empty, and userName' : 'The main value of emails'
  throw new ScimError('invalidValue', `${what} is not an email address`)
}

/** The displayed name of the account. */
export function toAccountName({ displayName, name, userName }: UserFields): string {
  const parts = [name.givenName, name.familyName].filter((part) => part !== undefined).join(' ')
  const texts = [displayName, name.formatted, parts, userName].map((text) =>
    removeControlCharacters(text ?? '')
      .trim()
      .slice(0, MAX_NAME)
      .trim()
      .toWellFormed(),
  )
  return texts.find((text) => text !== '') ?? 'Unnamed'
}
