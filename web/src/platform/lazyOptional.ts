import { type ComponentType, type LazyExoticComponent, lazy } from 'react'

/** A part of a screen whose code comes after it. Where that cannot be fetched (offline), the part is left out and the screen stays. */
export const lazyOptional = <Props extends object>(
  loadComponent: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> =>
  lazy(() =>
    loadComponent().then(
      (component) => ({ default: component }),
      () => ({ default: () => null }),
    ),
  )
