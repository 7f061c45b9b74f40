/** The code of a system, driver or framework error (`ENOENT`, `23505`, …), or an empty string. */
export function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return ''
  return typeof error.code === 'string' ? error.code : ''
}

export function errorMessageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
