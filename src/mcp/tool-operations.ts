import type { Client } from 'hansard/client'

/** The name of an operation of the API, such as `meetings.start`. */
export type OperationName = {
  [Group in keyof Client]: `${Group}.${Extract<keyof Client[Group], string>}`
}[keyof Client]

type ClientGroups = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** A client that can do nothing but these operations. Each has the access rule of its route, so a tool has it too. */
export function restrictClient(client: Client, operations: readonly OperationName[]): Client {
  const groups: Record<string, Record<string, unknown>> = {}
  for (const operation of operations) {
    const [group = '', name = ''] = operation.split('.')
    groups[group] = { ...groups[group], [name]: (client as unknown as ClientGroups)[group]?.[name] }
  }
  return groups as unknown as Client
}

/** Throws when a tool declares no operation, or one that the API does not have. To be called when the service starts. */
export function requireToolOperations(
  tools: ReadonlyArray<{ name: string; operations: readonly OperationName[] }>,
  client: Client,
): void {
  const problems = tools.flatMap(({ name, operations }) => {
    const unknown = operations.filter((operation) => {
      const [group = '', method = ''] = operation.split('.')
      return typeof (client as unknown as ClientGroups)[group]?.[method] !== 'function'
    })
    if (operations.length === 0) return [`${name} (none)`]
    return unknown.map((operation) => `${name} (${operation})`)
  })
  if (problems.length > 0) throw new Error(`tools with wrong operations: ${problems.join(', ')}`)
}
