import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

export const ROOT = join(import.meta.dirname, '../..')
export const CHART = join(ROOT, 'deploy/helm/hansard')

export const readText = (name: string): string => readFileSync(join(ROOT, name), 'utf8')

/** Docker Compose has its own tags, such as !override. The parser would warn about them. */
const readYaml = (name: string): unknown =>
  parse(readText(name), { logLevel: 'error', merge: true })

export type ComposeService = {
  image?: string
  user?: string
  environment?: Record<string, string>
  env_file?: { path: string; required: boolean }[]
  secrets?: string[]
  expose?: string[]
  volumes?: string[]
  tmpfs?: string[]
  stop_grace_period?: string
  healthcheck?: { test: string[] }
  read_only?: boolean
  cap_drop?: string[]
  restart?: string
  pids_limit?: number
  deploy?: { resources?: { limits?: { cpus: string; memory: string } } }
}
export type Compose = {
  services: { hansard: ComposeService } & Record<string, ComposeService>
  secrets?: Record<string, { file: string }>
}
export const readCompose = (name: string): Compose => readYaml(`deploy/${name}`) as Compose

export type ChartValues = {
  settings: Record<string, string>
  secrets: Record<string, { name: string; key: string }>
  browser: { sandbox: boolean; seccompProfile: string }
  resources: Record<'base' | 'perBot', { cpuMilli: number; memoryMi: number }>
  stopDelaySeconds: number
}
export const readChartValues = (): ChartValues =>
  readYaml('deploy/helm/hansard/values.yaml') as ChartValues
export const readChartInfo = (): { version: string; appVersion: string } =>
  readYaml('deploy/helm/hansard/Chart.yaml') as { version: string; appVersion: string }
export const readTemplates = (): string =>
  globSync('templates/**/*', { cwd: CHART, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n')

/** Facts of the image that the compose file and the chart repeat. */
export function readDockerfile() {
  // Continued lines are joined, so that each instruction is one line.
  const text = readText('deploy/Dockerfile').replaceAll(/\\\n/g, ' ')
  const find = (pattern: RegExp): string => {
    const [, found] = pattern.exec(text) ?? []
    if (found === undefined) throw new Error(`the Dockerfile has no ${pattern.source}`)
    return found
  }
  const environment = Object.fromEntries(
    [...find(/^ENV (.*)$/m).matchAll(/(\S+?)=(\S+)/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  )
  return {
    environment,
    user: find(/^USER (\S+)$/m),
    port: find(/^EXPOSE (\d+)$/m),
    volume: find(/^VOLUME (\S+)$/m),
    healthCheck: JSON.parse(find(/^HEALTHCHECK .*?CMD (\[.*\])$/m)) as string[],
    version: find(/org\.opencontainers\.image\.version="([^"]+)"/),
  }
}
