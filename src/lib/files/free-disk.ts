import { statfsSync } from 'node:fs'

export function readFreeDiskMb(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return Math.floor((bavail * bsize) / (1024 * 1024))
}
