/** Creates the query string of a URL with `?`. Fields that are undefined or empty are left out. */
export function toQueryString(fields: Record<string, string | undefined>): string {
  const set = Object.entries(fields).filter((entry): entry is [string, string] => !!entry[1])
  return set.length === 0 ? '' : `?${new URLSearchParams(set).toString()}`
}
