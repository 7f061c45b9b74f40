import { availableParallelism, totalmem } from 'node:os'
import { readCgroupLimits } from './cgroup-limits.ts'

/** `cores` can be a fraction: a container may have half a core. */
export type MachineSize = { memoryMb: number; cores: number }

/** Memory and cores that this process may use: those of the machine, or less in a container or a systemd slice. */
export function readMachineSize(fileSystemRoot?: string): MachineSize {
  const limits = readCgroupLimits(fileSystemRoot)
  return {
    memoryMb: Math.floor(Math.min(totalmem(), limits.memoryBytes) / 1024 ** 2),
    cores: Math.min(availableParallelism(), limits.cores),
  }
}
