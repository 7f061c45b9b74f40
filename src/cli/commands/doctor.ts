import type { Command } from 'commander'
import { printJson, printLine } from '../output.ts'

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description(
      'check this machine and this instance; each problem with the command that mends it',
    )
    .option('--json', 'for machines')
    .option('--deep', 'also join meetings on the stage; takes half a minute')
    .action(async ({ json, deep }: { json?: true; deep?: true }) => {
      const { examine: runChecks } = await import('../../operations/doctor/checks.ts')
      const findings = await runChecks({ isDeep: deep ?? false })
      const isWell = findings.every(({ ok }) => ok)
      if (json) printJson({ ok: isWell, checks: findings })
      else {
        for (const { name, ok, detail, fix } of findings) {
          printLine(`${ok ? 'ok ' : 'BAD'}  ${name.padEnd(16)} ${detail}`)
          if (!ok && fix) printLine(`     ${''.padEnd(16)} mend: ${fix}`)
        }
      }
      if (!isWell) process.exitCode = 1
    })
}
