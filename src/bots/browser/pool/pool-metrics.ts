import { Gauge, type Registry } from 'prom-client'

export interface BrowserMetrics {
  register(registry: Registry): void
}

export function createBrowserMetrics(countBrowsers: () => Promise<number>): BrowserMetrics {
  const running = new Gauge({
    name: 'hansard_browsers_running',
    help: 'Browsers that this node runs for its bots',
    registers: [],
    async collect() {
      this.set(await countBrowsers())
    },
  })
  return { register: (registry) => registry.registerMetric(running) }
}
