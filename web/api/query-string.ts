/** Creates the query string of a URL, with `?`. Leaves out fields that are undefined or empty. */
export function toQueryString(fields: Record<string, string | undefined>): string {
  const set = Object.entries(fields).filter((entry): entry is [string, string] => !!entry[1])
  return set.length === 0 ? '' : `?${new URLSearchParams(set).toString()}`
}
