import { type ReactNode, useState } from 'react'
import { NearViewport } from './NearViewport.tsx'

/** Content that was visible before renders at once on return, so that the scroll position can be restored. */
const visibleNames = new Set<string>()

type Props = {
  /** A unique name among all such places. */
  name: string
  /** Gives the placeholder about the height of its content. */
  className?: string | undefined
  /** How near the viewport it is loaded, as a CSS length; by default one screen ahead. */
  margin?: string
  children: ReactNode
}

/** Loads content far down the page only when it is near the viewport. It must be the last of its column. */
export function RenderWhenVisible({ name, className, margin, children }: Props) {
  const [isVisible, setVisible] = useState(() => visibleNames.has(name))
  const show = () => {
    visibleNames.add(name)
    setVisible(true)
  }
  return isVisible ? children : <NearViewport className={className} margin={margin} onNear={show} />
}
