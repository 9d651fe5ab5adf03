export function findChangedHeavyTests(cwd?: string): string[]
