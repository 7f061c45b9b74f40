import {
  ApiResponseTooLarge,
  ApiUnreachable,
  sendApiRequest,
  type ApiHttp,
  type ApiRequest,
  type ApiResponse,
} from '../../network/api-requests.ts'
import type { CalendarProviderName } from '../calendar.ts'
import { ProviderProblem } from './problems.ts'

/** Sends one request to a provider. Throws a `ProviderProblem` if there is no complete response. */
export async function sendOrExplain(
  http: ApiHttp,
  provider: CalendarProviderName,
  url: string,
  request: ApiRequest,
  signal: AbortSignal,
): Promise<ApiResponse> {
  try {
    return await sendApiRequest(http, url, request, signal)
  } catch (error) {
    if (error instanceof ApiUnreachable)
      throw new ProviderProblem(provider, 'unreachable', error.message)
    if (error instanceof ApiResponseTooLarge)
      throw new ProviderProblem(provider, 'bad_answer', 'larger than allowed')
    throw error
  }
}
