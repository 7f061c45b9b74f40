/** PostgreSQL refuses to run as root, so under root it runs as this one: `nobody` on every Linux. */
export type ServerAccount = { uid: number; gid: number }

const NOBODY: ServerAccount = { uid: 65534, gid: 65534 }

/** The account the server needs when ours is root; null when ours will do. */
export function serverAccount(): ServerAccount | null {
  return process.getuid?.() === 0 ? NOBODY : null
}

/** The folder in which a process stands, without the way to it. */
export const INSIDE = '/proc/self/cwd'

/**
 * What to call the cluster folder from a process that already stands in it. Under root the parent
 * folders stay closed to the server's account; this path leads through none of them.
 */
export function clusterPath(folder: string, account: ServerAccount | null): string {
  return account === null ? folder : INSIDE
}
