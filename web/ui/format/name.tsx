import { markDirectionControls } from './format-text.ts'

/** A name from outside, such as a title or a file name. Its direction does not affect the surrounding text. */
export function Name({ children }: { children: string }) {
  return <bdi>{markDirectionControls(children)}</bdi>
}
