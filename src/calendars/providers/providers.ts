import type { CalendarProviderName } from '../calendar.ts'
import { googleProvider } from './google.ts'
import { microsoftProvider } from './microsoft.ts'
import type { CalendarProvider } from './provider.ts'

export const PROVIDERS: Readonly<Record<CalendarProviderName, CalendarProvider>> = {
  microsoft: microsoftProvider,
  google: googleProvider,
}
