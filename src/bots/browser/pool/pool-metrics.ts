import { Gauge, type Registry } from 'prom-client'

export type BrowserMetrics = ReturnType<typeof createBrowserMetrics>

export function createBrowserMetrics(countBrowsers: () => Promise<number>) {
  const running = new Gauge({
    name: 'hansard_browsers_running',
    help: 'Browsers that this node runs for its bots',
    registers: [],
    async collect() {
      this.set(await countBrowsers())
    },
  })
  return { register: (registry: Registry) => registry.registerMetric(running) }
}
