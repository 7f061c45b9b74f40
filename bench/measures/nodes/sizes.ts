function sizeFrom(name: string, usual: number): number {
  const value = Number(process.env[name] ?? usual)
  if (!Number.isFinite(value) || value <= 0) throw new Error(`${name} must be a positive number`)
  return value
}

/** Sizes of the parts. Environment variables with these names change them. */
export const SIZES = {
  /** Practice meetings that run at the same time. */
  meetings: sizeFrom('MEETINGS', 60),
  /** Tasks that run every minute. */
  tasks: sizeFrom('TASKS', 200),
  /** Event streams that are open through the proxy. */
  streams: sizeFrom('STREAMS', 6),
  /** How much faster than a real meeting a practice meeting speaks. */
  speed: sizeFrom('SPEED', 1),
  /** How often a node is killed. */
  kills: sizeFrom('KILLS', 3),
  /** Duration of one measurement of throughput or cost. */
  seconds: sizeFrom('SECONDS', 15),
  /** Rows in the tables whose retention is measured. */
  rows: sizeFrom('ROWS', 5_000_000),
}

/** If the documents are in the database, nodes need no shared folder. `DOCUMENTS=folder` measures a shared folder. */
export const HAS_OWN_FOLDERS = process.env['DOCUMENTS'] !== 'folder'

export const DOCUMENTS_ENV: Record<string, string> = HAS_OWN_FOLDERS
  ? { HANSARD_DOCUMENTS: 'database' }
  : {}
