import { strict as assert } from 'node:assert'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { calculateMaxBots } from '../../src/meetings/attending/claiming/capacity.ts'
import {
  readChartValues,
  readCompose,
  readDockerfile,
  readTemplates,
  readText,
  ROOT,
} from './deploy-files.ts'

const { services } = readCompose('compose.yaml')
const values = readChartValues()
const image = readDockerfile()
const templates = readTemplates()

test('image, compose and chart use the same port', () => {
  const ports = [
    image.environment['HANSARD_PORT'],
    services.hansard.expose?.[0],
    services.hansard.environment?.['HANSARD_PORT'],
    values.settings['HANSARD_PORT'],
    /^\t\t\tport (\d+)$/m.exec(readText('deploy/Caddyfile'))?.[1],
  ]
  assert.deepEqual(new Set(ports), new Set([image.port]))
})

test('image, compose and chart use the same user, which is not root', () => {
  const [user = ''] = image.user.split(':')
  assert.equal(services.hansard.user, image.user)
  const ids = [...templates.matchAll(/(?:runAsUser|runAsGroup|fsGroup): (\d+)/g)].map(
    ([, id]) => id,
  )
  assert.deepEqual(new Set(ids), new Set([user]))
  assert.ok(Number(user) > 0)
  assert.match(readText('deploy/compose.nodes.yaml'), new RegExp(`uid=${user},gid=${user}`))
})

test('the data folder is inside the volume of image, compose and chart', () => {
  const data = image.environment['HANSARD_DATA'] ?? ''
  assert.ok(data.startsWith(`${image.volume}/`))
  assert.equal(services.hansard.environment?.['HANSARD_DATA'], data)
  assert.equal(values.settings['HANSARD_DATA'], data)
  assert.deepEqual(services.hansard.volumes, [`data:${image.volume}`])
  assert.ok(templates.includes(`mountPath: ${image.volume} }`))
})

test('health checks ask for paths that the service has, with the script of the image', () => {
  const [, script = '', path = ''] = image.healthCheck
  const inCompose = services.hansard.healthcheck?.test ?? []
  assert.equal(inCompose[2], script)
  assert.ok(templates.includes(`command: [node, ${script}]`))
  const routes = readText('src/http/routes/instance/health-routes.ts')
  const inChart = [...templates.matchAll(/httpGet: \{ path: (\S+),|path: (\/metrics)/g)]
  const asked = [
    path,
    inCompose[3] ?? '',
    ...inChart.map(([, probe, metrics]) => probe ?? metrics ?? ''),
  ]
  assert.deepEqual(new Set(asked), new Set(['/healthz', '/readyz', '/metrics']))
  for (const one of asked) assert.ok(routes.includes(`'${one}'`), one)
})

test('the chart gives up the sandbox of the browser only when told so', () => {
  assert.equal(values.browser.sandbox, true)
  const condition = templates.split('--no-sandbox').at(0)?.split('{{- if ').at(-1) ?? ''
  assert.match(condition, /^and \(not \.root\.Values\.browser\.sandbox\)/)
  assert.match(
    templates,
    /if and \$browser\.sandbox \(not \$browser\.seccompProfile\) -}}\n{{- fail "Choose/,
  )
})

test('a stopped node has more time than it needs', () => {
  const [, limit = ''] =
    /STOP_LIMIT_MS = ([\d_]+)/.exec(readText('src/cli/commands/serve.ts')) ?? []
  const neededSeconds = Number(limit.replaceAll('_', '')) / 1000
  assert.ok(neededSeconds > 0)
  assert.ok(Number.parseInt(services.hansard.stop_grace_period ?? '0', 10) > neededSeconds)
  const [, added] =
    /terminationGracePeriodSeconds: {{ add \(int \$\.Values\.stopDelaySeconds\) (\d+) }}/.exec(
      templates,
    ) ?? []
  assert.ok(Number(added) > neededSeconds)
})

test('the resources of compose and chart allow the bots that they name', () => {
  const bots = Number(values.settings['HANSARD_MAX_BOTS'])
  const { base, perBot } = values.resources
  const chart = {
    memoryMb: base.memoryMi + bots * perBot.memoryMi,
    cores: (base.cpuMilli + bots * perBot.cpuMilli) / 1000,
  }
  assert.ok(calculateMaxBots(chart) >= bots)
  const { cpus = '', memory = '' } = services.hansard.deploy?.resources?.limits ?? {}
  const compose = { memoryMb: Number.parseInt(memory, 10) * 1024, cores: Number(cpus) }
  assert.equal(calculateMaxBots(compose), 20, 'the comment in compose.yaml says 20 bots')
})

test('every container of compose is restricted', () => {
  for (const [name, service] of Object.entries(services)) {
    const { read_only, cap_drop, restart, healthcheck, deploy } = service
    const { cpus, memory } = deploy?.resources?.limits ?? {}
    assert.deepEqual(
      { read_only, cap_drop, restart, hasHealthCheck: healthcheck !== undefined },
      {
        read_only: true,
        cap_drop: ['ALL'],
        restart: 'unless-stopped',
        hasHealthCheck: true,
      },
      name,
    )
    assert.ok(cpus && memory, name)
  }
})

test('compose names the limit of processes once, because a loader refuses two places', () => {
  const doubled = Object.entries(services).filter(
    ([, { pids_limit, deploy }]) => pids_limit !== undefined && deploy?.resources !== undefined,
  )
  assert.deepEqual(doubled, [])
})

test('the image is built from files that exist and that are not ignored', () => {
  const copied = [
    ...readText('deploy/Dockerfile').matchAll(/^COPY (?!--from)(?:--\S+ )?(.*) \S+$/gm),
  ]
  const sources = copied.flatMap(([, list = '']) => list.split(' ')).filter((one) => one !== '.')
  const allowed = readText('.dockerignore')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1))
  for (const source of sources) {
    assert.ok(existsSync(join(ROOT, source)), source)
    assert.ok(
      allowed.some((one) => source === one || source.startsWith(`${one}/`)),
      source,
    )
  }
  const { files } = JSON.parse(readText('package.json')) as { files: string[] }
  const packed = files.map((file) => file.split('/')[0] ?? '').filter((name) => name !== 'dist')
  for (const name of packed)
    assert.ok(allowed.includes(name), `${name} is missing in .dockerignore`)
})

test('images of others are pinned by their digest', () => {
  const named = [
    // Dependabot updates digests in lines with FROM only.
    ...readText('deploy/Dockerfile').matchAll(/^FROM (?!\$\{BASE\})(\S+) AS pinned$/gm),
    ...readText('deploy/compose.yaml').matchAll(/^ +image: (?!hansard:)(.+)$/gm),
  ].map(([, name = '']) => name)
  assert.equal(named.length, 3)
  for (const name of named) assert.match(name, /^[a-z]+:[\w-]+@sha256:[0-9a-f]{64}$/)
})
