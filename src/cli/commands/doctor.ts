import type { Command } from 'commander'
import { printJson, printLine } from '../output.ts'

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description(
      'check this machine and this instance; each problem with the command that fixes it',
    )
    .option('--json', 'print JSON')
    .option('--deep', 'also join meetings on the stage; takes half a minute')
    .action(async ({ json, deep }: { json?: true; deep?: true }) => {
      const { runChecks } = await import('../../operations/doctor/checks.ts')
      const findings = await runChecks({ isDeep: deep ?? false })
      const isHealthy = findings.every(({ ok }) => ok)
      if (json) printJson({ ok: isHealthy, checks: findings })
      else {
        for (const { name, ok, detail, fix } of findings) {
          printLine(`${ok ? 'ok  ' : 'FAIL'}  ${name.padEnd(16)} ${detail}`)
          if (!ok && fix) printLine(`      ${''.padEnd(16)} fix: ${fix}`)
        }
      }
      if (!isHealthy) process.exitCode = 1
    })
}
