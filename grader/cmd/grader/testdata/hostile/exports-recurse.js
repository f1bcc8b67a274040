// expect: fail — exports that recurse when they are looked at
const deep = new Proxy({}, { get: (target, key) => deep[key], ownKeys: () => Reflect.ownKeys(deep) });
module.exports = deep;
