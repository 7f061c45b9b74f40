import type { DocumentPlace } from '../files/store/document-files.ts'

/** What a node knows when it starts, about the place of documents. */
export type PlaceFacts = {
  /** The setting of this node. */
  setting: DocumentPlace
  /** Where the instance has its documents, as the database says. */
  recorded: DocumentPlace
  /** Whether the folder of this node is the one that is recorded. Two disks can have the same path. */
  isSameFolder: boolean
  /** Whether other nodes have started and are alive. */
  hasOtherNodes: boolean
  /** Whether the recorded place has documents, or prompts that are not samples. */
  hasDocuments: boolean
}

/**
 * `use`: the node uses what is recorded. `record`: it uses its own place or folder, which is recorded for nodes that
 * start later. The others say why it must not start.
 */
export type PlaceDecision = 'use' | 'record' | 'not_shared' | 'other_nodes_differ' | 'move_first'

/** The first rule whose facts all match decides. */
const RULES: ReadonlyArray<Partial<PlaceFacts> & { decision: PlaceDecision }> = [
  { setting: 'database', recorded: 'database', decision: 'use' },
  { setting: 'folder', recorded: 'folder', isSameFolder: true, decision: 'use' },
  { setting: 'folder', recorded: 'folder', hasOtherNodes: true, decision: 'not_shared' },
  { setting: 'folder', recorded: 'folder', decision: 'record' },
  { hasOtherNodes: true, decision: 'other_nodes_differ' },
  { hasDocuments: true, decision: 'move_first' },
  { decision: 'record' },
]

/** Decides whether a node may start with its setting. */
export function decidePlace(facts: PlaceFacts): PlaceDecision {
  const names = Object.keys(facts) as Array<keyof PlaceFacts>
  const rule = RULES.find((one) =>
    names.every((name) => one[name] === undefined || one[name] === facts[name]),
  )
  return rule?.decision ?? 'move_first'
}
