// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BoostTest} from "./BoostTest.t.sol";
import {vm} from "./Vm.t.sol";

/// @dev What calls cost: kept in snapshots/TokenBoost.json, which a changed figure must change.
contract GasTest is BoostTest {
    function keep(string memory name) private {
        vm.snapshotGasLastCall("TokenBoost", name);
    }

    function test_aFirstBoost() external {
        pay(ALICE, coin);
        keep("boostToken: a token's first");
    }

    function test_anExtension() external {
        pay(ALICE, coin);
        pay(ALICE, coin);
        keep("boostToken: an extension");
    }

    function test_aBoostAfterTheEnd() external {
        pay(ALICE, coin);
        vm.warp(START + 86_400);
        pay(ALICE, coin);
        keep("boostToken: again after the end");
    }

    function test_aBoostThatSettlesAHundredPayments() external {
        for (uint256 i = 0; i < 100; ++i) pay(ALICE, coin);
        vm.warp(START + 8_640_000);
        pay(ALICE, coin);
        keep("boostToken: settles 100 payments first");
    }

    function test_aRemoval() external {
        pay(ALICE, coin);
        remove(coin);
        keep("emergencyRemoveBoost: one payment");
    }

    function test_aRemovalOfAHundredPayments() external {
        for (uint256 i = 0; i < 100; ++i) {
            address payer = address(uint160(0xC0FFEE + i));
            endow(address(usdc), payer, 25_000_000);
            pay(payer, coin);
        }
        remove(coin);
        keep("emergencyRemoveBoost: 100 payments of 100 payers");
    }

    function test_aRefund() external {
        pay(ALICE, coin);
        pause();
        vm.warp(START + 604_800);
        vm.prank(ALICE);
        boost.refundAfterLongPause(address(coin));
        keep("refundAfterLongPause");
        claim(ALICE);
        keep("claimRefund");
    }

    function test_aWithdrawal() external {
        pay(ALICE, coin);
        vm.warp(START + 86_400);
        withdraw(coin);
        keep("withdrawFees: one token");
    }

    function test_termsAndPauses() external {
        vm.prank(OWNER);
        boost.announceTerms(30_000_000, 3_600);
        keep("announceTerms");
        pause();
        keep("pause");
        unpause();
        keep("unpause");
    }

    function test_aBatchOfAHundred() external {
        address[] memory tokens = new address[](100);
        for (uint256 i = 0; i < 100; ++i) tokens[i] = address(uint160(0x70CE0000 + i));
        boost.getBatchBoostStatus(tokens);
        keep("getBatchBoostStatus: 100 tokens");
    }
}
