// Record where d3-flextree 2.1.2 places the nodes of 200 drawn trees.
//   npm install d3-flextree@2.1.2 && node tests/oracles/flextree_positions.mjs > tests/report/flextree_positions.json
import { flextree } from "d3-flextree";

let state = 20261126n;
const below = (n) => { // Knuth's MMIX generator
  state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
  return Number((state >> 33n) % BigInt(n));
};

/** A tree of some size: parents in preorder, and sizes. Chains, stars, and all between. */
const drawn = (n, mostChildren, depth) => {
  const node = { size: [1 + below(120), 1 + below(60)], children: [] };
  let left = n - 1;
  while (left > 0 && node.children.length < mostChildren && depth > 0) {
    const part = node.children.length + 1 === mostChildren ? left : 1 + below(left);
    node.children.push(drawn(part, mostChildren, depth - 1));
    left -= part;
  }
  return node;
};

const layout = flextree({ nodeSize: (node) => node.data.size, spacing: 0 });
const trees = [];
for (let i = 0; i < 200; i += 1) {
  const n = i < 190 ? 1 + below(40) : 150 + below(100);
  const root = layout.hierarchy(drawn(n, 1 + below(i % 3 === 0 ? 8 : 3) + (i % 2), 5 + below(40)));
  layout(root);
  const numbers = new Map();
  const rows = [];
  root.eachBefore((node) => {
    numbers.set(node, rows.length);
    rows.push([node.parent ? numbers.get(node.parent) : null, ...node.data.size, node.x, node.y]);
  });
  trees.push(rows);
}
console.log(`[\n${trees.map((rows) => JSON.stringify(rows)).join(",\n")}\n]`);
