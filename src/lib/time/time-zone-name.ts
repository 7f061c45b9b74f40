import { findNearestName } from '../text/nearest-name.ts'

const MAX_NAME_LENGTH = 64
const NAME = /^[a-z][\w+-]*(?:\/[\w+-]+)*$/i
/** Names of one engine's own. Most stand for several zones in daily use, so that a guess would be wrong. */
const NOT_IANA =
  /^(?:ACT|AET|AGT|ART|AST|BET|BST|CAT|CNT|CST|CTT|EAT|ECT|IET|IST|JST|MIT|NET|NST|PLT|PNT|PRT|PST|SST|VST|SystemV\/.*)$/i

/** Some engines answer with the name a zone had when they first knew it. */
const CURRENT_NAMES: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
}

/** A bound on memory: an instance uses few zones, a preview may be asked for all of them. */
const MAX_NAMES = 200
/** Asking Intl takes a hundred times as long as all the rest of reading a schedule. */
const canonicalNames = new Map<string, string | null>()

/** The one spelling under which a zone is kept, or null for what is no IANA name. */
export function canonicalTimeZone(name: string): string | null {
  if (name.length > MAX_NAME_LENGTH || !NAME.test(name) || NOT_IANA.test(name)) return null
  const known = canonicalNames.get(name)
  if (known !== undefined) return known
  if (canonicalNames.size >= MAX_NAMES) canonicalNames.clear()
  const canonical = resolveWithIntl(name)
  canonicalNames.set(name, canonical)
  return canonical
}

function resolveWithIntl(name: string): string | null {
  try {
    const found = new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone
    return CURRENT_NAMES[found] ?? found
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** The zone that somebody who wrote this most likely meant. */
export function suggestTimeZone(name: string): string | null {
  if (name.length > MAX_NAME_LENGTH) return null
  const known = Intl.supportedValuesOf('timeZone').map((zone) => CURRENT_NAMES[zone] ?? zone)
  return findNearestName(name, ['UTC', ...known])
}
