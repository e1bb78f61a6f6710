// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IERC20 {
    function approve(address spender, uint256 amount) external returns (bool);
    function balanceOf(address account) external view returns (uint256);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}

/// @title Sells some of what a real holder has, as far as the token can tell. Never deployed: a state override puts this code at the
/// holder's address for one `eth_call`, by the holder, with the token's address and the pool's as data. Nothing is bought before.
/// @notice The answer is three words: outcome, amount sent, what arrived of it in the pool.
/// @dev Warning: during the call the holder has code, which persons do not have.
contract HolderProbe {
    uint256 private constant NOTHING_HELD = 0;
    uint256 private constant NOT_SOLD = 1;
    uint256 private constant SOLD = 2;

    fallback(bytes calldata input) external returns (bytes memory) {
        (IERC20 token, address pool) = abi.decode(input, (IERC20, address));
        uint256 held = token.balanceOf(address(this));
        uint256 before = token.balanceOf(pool);
        uint256 amount = before / 1000 < held ? before / 1000 : held;
        // Of less a rounding would be a tax.
        if (amount < 10_000) return abi.encode(NOTHING_HELD, amount, 0);
        Router router = new Router();
        // A token that refuses this refuses the sale, too.
        (bool isApproved,) = address(token).call{gas: 1_000_000}(abi.encodeCall(token.approve, (address(router), amount)));
        isApproved;
        if (!router.sell(token, pool, amount)) return abi.encode(NOT_SOLD, amount, 0);
        return abi.encode(SOLD, amount, token.balanceOf(pool) - before);
    }
}

/// @title Takes the token to the pool by the holder's allowance, as routers do.
contract Router {
    function sell(IERC20 token, address pool, uint256 amount) external returns (bool) {
        (bool isDone, bytes memory answer) =
            address(token).call{gas: 3_000_000}(abi.encodeCall(token.transferFrom, (msg.sender, pool, amount)));
        return isDone && (answer.length == 0 || (answer.length >= 32 && bytes32(answer) != 0));
    }
}
