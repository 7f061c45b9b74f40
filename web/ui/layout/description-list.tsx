import { Fragment, type ReactNode } from 'react'

export type DescriptionItem = [name: string, value: ReactNode]

/** Names and what is to be said of each. */
export function DescriptionList({ facts }: { facts: readonly DescriptionItem[] }) {
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  )
}
