type PlaywrightConnection = { toImpl?(object: object): unknown }

/**
 * A value of Playwright's internal object behind a public one, for what Playwright has no public function for; undefined
 * when its internals have changed. Throws for an object that has just closed.
 */
export function readPlaywrightInternal(object: object, path: readonly string[]): unknown {
  const connection = getNested(object, ['_connection']) as PlaywrightConnection | undefined
  return getNested(connection?.toImpl?.(object), path)
}

function getNested(from: unknown, path: readonly string[]): unknown {
  return path.reduce(
    (value, name) =>
      typeof value === 'object' && value !== null
        ? (Reflect.get(value, name) as unknown)
        : undefined,
    from,
  )
}
