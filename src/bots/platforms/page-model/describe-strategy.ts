import type { FindStrategy } from './find-strategies.ts'

/** A strategy as a short text for warnings and reports. */
export function describeStrategy(strategy: FindStrategy): string {
  switch (strategy.by) {
    case 'css':
      return strategy.css
    case 'role':
      return `${strategy.role} "${strategy.name}"`
    case 'text':
      return `words "${strategy.text}"`
    case 'icon':
      return `icon ${strategy.icon}`
    case 'keys':
      return `keys ${strategy.keys}`
    default:
      return strategy satisfies never
  }
}
