/**
 * The size of the largest one-to-one matching in a bipartite graph, by augmenting paths (Kuhn 1955).
 * `candidates[i]` lists the right-hand items that left-hand item `i` may be paired with.
 */
export function maximumMatching(candidates: readonly (readonly number[])[]): number {
  const ownerOf = new Map<number, number>();

  // Gives `left` a partner, moving earlier owners elsewhere where that frees one; `seen` keeps it from going in circles.
  const place = (left: number, seen: Set<number>): boolean => {
    for (const right of candidates[left]!) {
      if (seen.has(right)) continue;
      seen.add(right);
      const owner = ownerOf.get(right);
      if (owner === undefined || place(owner, seen)) {
        ownerOf.set(right, left);
        return true;
      }
    }
    return false;
  };

  let size = 0;
  for (let left = 0; left < candidates.length; left++) if (place(left, new Set())) size++;
  return size;
}

/**
 * The size of the largest one-to-one matching between two ascending lists of times, where a pair may lie at most
 * `toleranceS` apart (inclusive).
 *
 * On a line with one tolerance for all, pairing the earliest two that fit is optimal: whichever of the two times is
 * the earlier can only be paired with later and later partners, so giving it the earliest one costs nothing.
 */
export function matchTimes(
  references: readonly number[],
  estimates: readonly number[],
  toleranceS: number,
): number {
  let size = 0;
  let r = 0;
  let e = 0;
  while (r < references.length && e < estimates.length) {
    const distance = estimates[e]! - references[r]!;
    if (Math.abs(distance) <= toleranceS) {
      size++;
      r++;
      e++;
    } else if (distance < 0) {
      e++;
    } else {
      r++;
    }
  }
  return size;
}
