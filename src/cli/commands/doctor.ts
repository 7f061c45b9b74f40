import type { Command } from 'commander'
import { printCheckLine, printJson, printLine } from '../output.ts'

export function registerDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check this machine and this instance, and show how to fix each problem')
    .option('--json', 'print JSON')
    .option('--deep', 'also join rehearsal meetings; takes half a minute')
    .action(async ({ json, deep }: { json?: true; deep?: true }) => {
      const { runChecks } = await import('../../operations/doctor/checks.ts')
      const results = await runChecks({ isDeep: deep ?? false })
      const isHealthy = results.every(({ ok }) => ok)
      if (json) printJson({ ok: isHealthy, checks: results })
      else {
        for (const result of results) {
          printCheckLine(result)
          if (!result.ok && result.fix) printLine(`      ${''.padEnd(16)} fix: ${result.fix}`)
        }
      }
      if (!isHealthy) process.exitCode = 1
    })
}
