import type { DeliveryErrorCode } from '../../deliveries/network/delivery-errors.ts'

/** Why a feed could not be fetched, as sentences for people. None contains the address. */
export const NETWORK_PROBLEMS: Readonly<Record<DeliveryErrorCode, string>> = {
  dns_error: 'The host of the address was not found',
  connection_refused: 'The server cannot be reached',
  connection_reset: 'The server broke off the connection',
  timeout: 'The server did not answer in time',
  tls_error: 'The certificate of the server is not valid',
  blocked_address: 'The network rules of this service do not allow this address',
  bad_answer: 'The server sent an answer that is not valid HTTP',
}

export const TOO_LARGE_PROBLEM = 'The calendar is larger than 25 MB'
export const TOO_MANY_REDIRECTS_PROBLEM = 'The server redirects too often'
export const BLOCKED_REDIRECT_PROBLEM =
  'The server redirects to an address that the network rules of this service do not allow'
export const BAD_REDIRECT_PROBLEM = 'The server redirects to an address that is not valid'

/** Something went wrong in this service, whose log has the error. */
export const INTERNAL_PROBLEM = 'The calendar could not be read because of an error in this service'

const COPY_AGAIN = 'Copy the secret address from the settings of the calendar again'

export function describeStatus(status: number): string {
  if (status === 401 || status === 403) return `The server refused access. ${COPY_AGAIN}`
  if (status === 404 || status === 410)
    return `There is no calendar at this address any more. ${COPY_AGAIN}`
  return `The server answered ${status}`
}
