import type { CallOptions } from './index.js'

/** A row of the table of operations. */
export interface Operation {
  method: string
  path: string
  /** Media type of the body. */
  sends?: string
  hasQuery?: boolean
  takesKey?: boolean
  streams?: 'data' | 'messages'
  isBinary?: boolean
}

/** The request of one call. */
export interface Call {
  method: string
  /** With its query. */
  path: string
  headers: Record<string, string>
  body: string | undefined
}

/** Groups of functions, one for each operation. */
export declare function bindOperations(
  operations: Readonly<Record<string, Readonly<Record<string, Operation>>>>,
  run: (operation: Operation, call: Call, options: CallOptions) => unknown,
): unknown
