import { findNearestName } from '../text/nearest-name.ts'
import { findZoneName, listZoneNames } from './zone-data.ts'

const MAX_NAME_LENGTH = 64
const NAME = /^[a-z][\w+-]*(?:\/[\w+-]+)*$/i
/** Abbreviations that some JavaScript engines accept, but that are not IANA names. Most are ambiguous. */
const NOT_IANA =
  /^(?:ACT|AET|AGT|ART|AST|BET|BST|CAT|CNT|CST|CTT|EAT|ECT|IET|IST|JST|MIT|NET|NST|PLT|PNT|PRT|PST|SST|VST|SystemV\/.*)$/i

/** Current names of zones for which some JavaScript engines still return an outdated name. */
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

/** Limits the memory of the cache, because schedule previews may be requested for every existing zone. */
const MAX_NAMES = 200
/** Cached, because Intl takes a hundred times as long as the rest of parsing a schedule. */
const canonicalNames = new Map<string, string | null>()

/** The canonical spelling of an IANA time zone name. Null if the text is not one. */
export function canonicalTimeZone(name: string): string | null {
  if (name.length > MAX_NAME_LENGTH || !NAME.test(name) || NOT_IANA.test(name)) return null
  const cached = canonicalNames.get(name)
  if (cached !== undefined) return cached
  if (canonicalNames.size >= MAX_NAMES) canonicalNames.clear()
  // Newer zone data may have a zone that this engine does not know yet. A name without data has no offsets.
  const canonical = findZoneName(resolveWithIntl(name) ?? name)
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

/** The time zone with the most similar name, to suggest for a misspelt one. Null if none is similar. */
export function suggestTimeZone(name: string): string | null {
  const known = Intl.supportedValuesOf('timeZone').map((zone) => CURRENT_NAMES[zone] ?? zone)
  return findNearestName(name, ['UTC', ...known, ...listZoneNames()])
}
