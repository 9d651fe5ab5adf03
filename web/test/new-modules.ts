import { vi } from 'vitest'

// Modules of the screens read the browser's globals when they are loaded, and each test file has different ones.
vi.resetModules()
