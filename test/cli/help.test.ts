import { strict as assert } from 'node:assert'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { runLoadedCommand } from '../support/service/loaded-commands.ts'
import { createTestDataFolder } from '../support/service/service-process.ts'

/** Texts that the help of each command must contain. */
const HELP: Record<string, string[]> = {
  '': [
    'serve',
    'prepare',
    'listen',
    'ask',
    'token',
    'user',
    'account',
    'config',
    'doctor',
    'rehearse',
    'Exit codes',
  ],
  serve: ['start the service'],
  prepare: ['--browser', '--json'],
  service: ['install', 'uninstall'],
  'service install': [
    '--user',
    '--system',
    '--print',
    '--account <name>',
    '--name <name>',
    '--force',
  ],
  'service uninstall': ['--user', '--system', '--name <name>', '--force'],
  upgrade: ['--check', '--json', 'Exit codes'],
  listen: [
    '--forward-to <url>',
    '--print-json',
    '--events <types>',
    '--meeting <id>',
    '--name <name>',
    '--service <url>',
    'HANSARD_API_KEY',
  ],
  ask: [
    '<question>',
    '--project <id>',
    '--meeting <id>',
    '--service <url>',
    '--json',
    'HANSARD_API_KEY',
  ],
  actions: ['list', 'done', 'reopen'],
  'actions list': ['--mine', '--owner <name>', '--due-before <date>', '--json'],
  'actions done': ['<id>', '--json'],
  'actions reopen': ['<id>', '--json'],
  decisions: ['--speaker <name>', '--project <id>', '--from <time>', '--json'],
  recap: ['show', 'add', 'edit', 'delete'],
  'recap show': ['<meeting>', '--json'],
  'recap add': ['<meeting>', '<text>', '--kind <kind>', '--line <numbers...>', '--json'],
  'recap edit': ['<meeting>', '<item>', '--text <text>', '--due <date>', '--json'],
  'recap delete': ['<meeting>', '<item>', '--json'],
  vocabulary: ['list', 'add', 'remove', '--project sales'],
  'vocabulary add': ['[terms...]', '--project <id>', '--file <path>', '--json'],
  'vocabulary remove': ['<terms...>', '--project <id>', '--json'],
  token: ['create', 'list', 'rotate', 'revoke'],
  'token create': ['--name <name>', '--scope <scope...>', '--days <days>', '--json'],
  'token list': ['--json'],
  'token rotate': ['<token>', '--activate', '--cancel', '--json'],
  'token revoke': ['<token>', '--json'],
  provisioning: ['status', 'on', 'off', 'service-tokens', 'token', 'groups', 'grant', 'ungrant'],
  'provisioning service-tokens': ['<choice>', '--json'],
  'provisioning token create': ['<name>', '--json'],
  'provisioning token revoke': ['<id>', '--json'],
  'provisioning groups': ['--search <text>', '--json'],
  'provisioning grant': ['<group>', '<project>', '<role>', '--json'],
  'provisioning ungrant': ['<group>', '<project>', '--json'],
  user: ['create', 'invite', 'list', 'password', 'remove'],
  'user create': [
    '--email <email>',
    '--name <name>',
    '--admin',
    '--password-file <file>',
    '--json',
  ],
  'user password': ['<email>', '--password-file <file>', '--json'],
  'user invite': ['--email <email>', '--admin', '--json'],
  'user list': ['--json'],
  'user remove': ['<email>'],
  account: ['add', 'list', 'check', 'remove'],
  'account add': ['<name>', '--platform <platform>', '--state <file>', '--limit <bots>', '--json'],
  'account list': ['--json'],
  'account check': ['[name]', '--json'],
  'account remove': ['<name>', '--json'],
  config: ['--json'],
  doctor: ['--json', '--deep'],
  rehearse: ['[platform]', '[script]', '--json'],
}

const INVALID_COMMANDS: Record<string, RegExp> = {
  servee: /unknown command 'servee'[\s\S]*Did you mean serve\?/,
  'token make': /unknown command 'make'/,
  'serve --prot 80': /unknown option '--prot'/,
  listen: /use '--forward-to <url>', '--print-json', or both/,
  'listen --forward-to ftp://a': /an http or https URL without user name and password/,
  'listen --forward-to http://u:p@a': /an http or https URL without user name and password/,
  'listen --print-json --name /etc': /Must be 1 to 64 letters/,
  'listen --print-json --events a,,b': /event types separated by commas/,
  'token create': /required option '--name <name>' not specified/,
  'token create --name x --days soon': /Must be a whole number from 1 to 3650/,
  'token create --name x --scope all': /Allowed choices are read, meetings, tasks/,
  'token revoke': /missing required argument 'token'/,
  'token rotate x --activate --cancel': /option '--activate' cannot be used with option '--cancel'/,
  'token list more': /too many arguments/,
  'provisioning grant Sales sales owner': /Allowed choices are reader, editor/,
  'provisioning token revoke': /missing required argument 'id'/,
  'user create --email nobody': /This is not a valid email address/,
  'account add x': /required option '--platform <platform>' not specified/,
  'account add ../x --platform google_meet': /A name has 1 to 64 letters/,
  'account add x --platform zoom': /Allowed choices are google_meet, microsoft_teams/,
  'account add x --platform google_meet --limit 0': /Must be a whole number from 1 to 1000/,
  'rehearse zoom': /Allowed choices are meet, teams/,
  'doctor now': /too many arguments/,
}

test('the help of every command lists its options', async () => {
  await using folder = createTestDataFolder()
  for (const [command, names] of Object.entries(HELP)) {
    const { code, stdout, stderr } = await runLoadedCommand(
      [...words(command), '--help'],
      folder.env,
    )
    assert.equal(code, 0, stderr)
    assert.equal(stderr, '')
    assert.ok(stdout.startsWith(`Usage: hansard${command && ` ${command}`}`), stdout)
    for (const name of names) assert.ok(stdout.includes(name), `${name} in the help of ${command}`)
  }
  assert.equal(existsSync(folder.data), false)
})

test('an invalid command line exits with 2, explains why and creates no files', async () => {
  await using folder = createTestDataFolder()
  for (const [command, says] of Object.entries(INVALID_COMMANDS)) {
    const { code, stdout, stderr } = await runLoadedCommand(words(command), folder.env)
    assert.equal(code, 2, `${command}: ${stderr}`)
    assert.equal(stdout, '')
    assert.match(stderr, says)
    const [, named = ''] = /\(hansard (.*?)-?-help/.exec(stderr) ?? []
    assert.ok(HELP[named.trim()] !== undefined, stderr)
    assert.ok(command.startsWith(named.trim()), stderr)
  }
  assert.equal(existsSync(folder.data), false)
})

test('without a command the help is shown and the exit code is 2', async () => {
  await using folder = createTestDataFolder()
  const { code, stderr } = await runLoadedCommand([], folder.env)
  assert.equal(code, 2)
  assert.match(stderr, /^Usage: hansard/)
})

function words(command: string): string[] {
  return command.split(' ').filter((word) => word !== '')
}
