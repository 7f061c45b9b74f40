import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import type { NodeRole } from '../db/nodes/node-roles.ts'
import { canonicalLanguageTag, LANGUAGE_TAG_ERROR } from '../lib/text/language-tag.ts'
import { canonicalTimeZone } from '../lib/time/time-zone-name.ts'
import { tryParseJson } from '../lib/text/try-parse-json.ts'

/** Schemas that parse the text of environment variables. */
export const nonEmptyText = z.string().min(1)
export const onOffFlag = z.enum(['on', 'off']).transform((value) => value === 'on')

/** A short text for the meeting chat, or `off`, which becomes null. Google Meet accepts no longer messages. */
export const chatNoticeTextOrOff = z
  .string()
  .max(500, 'must have at most 500 characters')
  .transform((value) => (value === 'off' ? null : value))

export const languageTag = z.string().transform((value, context) => {
  const tag = canonicalLanguageTag(value)
  if (tag !== null) return tag
  context.addIssue(LANGUAGE_TAG_ERROR.replace(/^M/, 'm'))
  return z.NEVER
})

export function integerInRange(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d{1,12}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message)
}

/** An http or https URL without a path. */
export const httpOrigin = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .transform((value, context) => {
    const { origin, href } = new URL(value)
    if (href === `${origin}/`) return origin
    context.addIssue(`must not have a path or query, for example ${origin}`)
    return z.NEVER
  })

export function hasUrlCredentials(url: string): boolean {
  const { username, password } = new URL(url)
  return username !== '' || password !== ''
}

export const jsonStringArray = z.string().transform((value, context) => {
  const parsed = z.array(z.string()).safeParse(tryParseJson(value))
  if (parsed.success) return parsed.data
  context.addIssue('must be a JSON array of strings, such as ["--lang=en"]')
  return z.NEVER
})

export const networkList = z.string().transform((value, context) => {
  const parts = value.split(',').map((part) => part.trim())
  if (parts.every(isNetwork)) return parts
  context.addIssue('must be IP addresses or networks such as 10.0.0.0/8, separated by commas')
  return z.NEVER
})

export const commaSeparatedList = z.string().transform((value, context) => {
  const parts = value.split(',').map((part) => part.trim())
  if (parts.every((part) => part !== '')) return parts
  context.addIssue('must be a list separated by commas, without empty parts')
  return z.NEVER
})

const NODE_ROLE_NAMES: Readonly<Record<NodeRole, true>> = { api: true, bots: true, tasks: true }

export const nodeRoleList = z.string().transform((value, context) => {
  const roles = value.split(',').map((part) => part.trim())
  if (roles.every((role): role is NodeRole => Object.hasOwn(NODE_ROLE_NAMES, role)))
    return [...new Set(roles)]
  context.addIssue(
    `must be one or more of ${Object.keys(NODE_ROLE_NAMES).join(', ')}, separated by commas`,
  )
  return z.NEVER
})

const DOMAIN = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/

/** Domains of email addresses, separated by commas, in lower case. */
export const domainList = z.string().transform((value, context) => {
  const parts = value.split(',').map((part) => part.trim().toLowerCase())
  if (parts.every((part) => DOMAIN.test(part))) return parts
  context.addIssue('must be domains such as example.com, separated by commas')
  return z.NEVER
})

const HOST_AND_PORT = /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/

/** Hosts with an optional port, separated by commas, in lower case. */
export const hostList = z.string().transform((value, context) => {
  const parts = value.split(',').map((part) => part.trim().toLowerCase())
  if (parts.every((part) => HOST_AND_PORT.test(part) && URL.canParse(`https://${part}`)))
    return parts
  context.addIssue('must be hosts such as meet.example.com or 10.0.0.5:8443, separated by commas')
  return z.NEVER
})

export const base64Key32 = z.string().transform((value, context) => {
  const key = Buffer.from(value, 'base64')
  if (key.length === 32) return key
  context.addIssue(
    'must be 32 random bytes in base64, for example the output of `openssl rand -base64 32`',
  )
  return z.NEVER
})

export function isTimeZone(value: string): boolean {
  return canonicalTimeZone(value) !== null
}

/** True if a secret may be sent to this origin: over TLS, or to this machine. */
export function isOriginSafeForSecrets(origin: string): boolean {
  const { protocol, hostname } = new URL(origin)
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}

function isNetwork(value: string): boolean {
  return ipaddr.isValidCIDR(value) || isIP(value) !== 0
}
