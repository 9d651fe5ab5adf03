import { type ComponentType, type LazyExoticComponent, lazy } from 'react'

/**
 * A part of a screen whose code loads after it. If the code can't be loaded (offline), the part is left out and the
 * screen still works.
 */
export const lazyOptional = <Props extends object>(
  loadComponent: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> =>
  lazy(() =>
    loadComponent().then(
      (component) => ({ default: component }),
      () => ({ default: () => null }),
    ),
  )
