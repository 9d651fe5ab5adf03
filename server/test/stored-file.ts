import path from 'node:path'
import { keyOf } from '../src/platform/storage.ts'
import type { World } from '../src/world.ts'

/** Where a pool on a disk keeps the original with this SHA-256. */
export const storedAt = ({ config }: Pick<World, 'config'>, sha256: string): string =>
  path.join(config.dataDir, 'media', keyOf('audio', sha256))
